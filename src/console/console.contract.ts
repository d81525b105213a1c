// What others may use of the console.
export { ConsoleSessions } from './session/sessions.js';
