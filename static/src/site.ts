/** What every page has: the theme switch, copy buttons, the sheet of keys. */
import {listen} from "./announce";
import {setUpCopy} from "./copy";
import {setUpKeySheet} from "./keys";
import {setUpTheme} from "./theme";

listen();
setUpTheme();
setUpCopy();
setUpKeySheet();
