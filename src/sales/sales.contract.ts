// What other contexts may use of sales.
export { SaleResponse } from './sales.dto.js';
export { quoteOf } from './quote-sale.js';
export {
  sale,
  type Sale,
  type SaleCommand,
  type Revision,
  type SaleEvent,
  type Stage,
  type StatusEvent,
} from './sale.js';
export { shownSale, shownStatus } from './shown-sale.js';
export { sales } from './sales.projection.js';
