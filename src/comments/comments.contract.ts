// What other contexts may use of comments.
export { comment } from './comment.js';
export { comments } from './comments.projection.js';
