// What others may use of the console.
export { serveConsole } from './serve-console.js';
export { ConsoleSessions } from './session/sessions.js';
