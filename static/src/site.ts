/** The one script that pages come with: the theme switch, copy buttons, the sheet of keys, the exercise. */
import {listen} from "./page/announce";
import {setUpAssignment} from "./page/assignment";
import {setUpBoard} from "./page/board";
import {setUpCampus} from "./page/campus";
import {setUpCopy} from "./page/copy";
import {find} from "./page/dom";
import {setUpEmbed} from "./page/embed";
import {setUpExercise} from "./page/exercise";
import {setUpKeySheet} from "./page/keys";
import {forget} from "./page/storage";
import {setUpTheme} from "./page/theme";
import {setUpTimes} from "./page/times";

/** Work brought here by its code is another learner's from then on: no session has ended by that. */
function setUpRecovery(): void {
  find("form[action^='/progress/recover']")?.addEventListener("submit", () => forget("learner"));
}

/** Leaving a shared computer: what this browser kept goes, also where the page came without https. */
function setUpLeaving(): void {
  find("form[data-leave]")?.addEventListener("submit", () => {
    localStorage.clear();
    sessionStorage.clear();
  });
}

listen();
setUpTheme();
setUpTimes();
setUpCopy();
setUpKeySheet();
setUpRecovery();
setUpLeaving();
setUpBoard();
setUpAssignment();
setUpExercise();
setUpEmbed();
setUpCampus();
