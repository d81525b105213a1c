// For specs of contexts that know nothing of the figures.
export { analytics } from '../../../src/analytics/projections/analytics.projection.js';
