import { render } from 'preact';
import { App } from './app/app.js';
import { followLinks } from './data/route.js';
import { language } from './words/words.js';

document.documentElement.lang = language;
followLinks();
render(<App />, document.body);
