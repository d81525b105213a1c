// What the application uses of the read models.
export { type ReadModel, ReadModels } from './read-model.js';
