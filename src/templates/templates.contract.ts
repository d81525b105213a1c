// What other contexts may use of templates.
export { template, type Template, TEMPLATE_FIELDS } from './template.js';
export type { Addressee } from './template-values.js';
export { Templates } from './templates.js';
export { templates } from './templates.projection.js';
