/** The one script that pages come with: the theme switch, copy buttons, the sheet of keys, the exercise. */
import {listen} from "./page/announce";
import {setUpCopy} from "./page/copy";
import {find} from "./page/dom";
import {setUpExercise} from "./page/exercise";
import {setUpKeySheet} from "./page/keys";
import {forget} from "./page/storage";
import {setUpTheme} from "./page/theme";

/** Work brought here by its code is another learner's from then on: no session has ended by that. */
function setUpRecovery(): void {
  find("form[action^='/progress/recover']")?.addEventListener("submit", () => forget("learner"));
}

listen();
setUpTheme();
setUpCopy();
setUpKeySheet();
setUpRecovery();
setUpExercise();
