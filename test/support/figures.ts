// For specs of contexts that know nothing of the figures.
export { analytics } from '../../src/analytics/analytics.projection.js';
