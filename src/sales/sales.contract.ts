// What other contexts may use of sales.
export { sale, type Sale, type SaleEvent, shownSale, type StatusEvent } from './sale.js';
export { OpenSale } from './open-sale.js';
export { QuoteSale } from './quote-sale.js';
export { sales } from './sales.projection.js';
export { SalesQueries } from './sales.queries.js';
export { UpdateSale } from './update-sale.js';
