/** The one script that pages come with: the theme switch, copy buttons, the sheet of keys, the exercise. */
import {listen} from "./announce";
import {setUpCopy} from "./copy";
import {find} from "./dom";
import {setUpExercise} from "./exercise";
import {setUpKeySheet} from "./keys";
import {forget} from "./storage";
import {setUpTheme} from "./theme";

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
