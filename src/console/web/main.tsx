import { render } from 'preact';
import { App } from './app/app.js';
import { followLinks } from './data/route.js';
import { resume } from './data/session.js';
import { showKeptTheme } from './data/theme.js';
import { language } from './words/words.js';

document.documentElement.lang = language;
showKeptTheme();
followLinks();
// Whoever has no session is asked for a key.
void resume();
render(<App />, document.body);
