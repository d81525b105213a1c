// What other contexts may use of sales.
export { SaleResponse } from './sales.dto.js';
export { quoteOf } from './quote-sale.js';
export {
  sale,
  type Sale,
  type SaleCommand,
  type Revision,
  type SaleEvent,
  shownSale,
  shownStatus,
  type Stage,
  type StatusEvent,
} from './sale.js';
export { sales } from './sales.projection.js';
