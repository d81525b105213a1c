import type { Sale } from '../data/records.js';
import { money, number, unitPrice } from '../format.js';
import { words } from '../words/words.js';
import { timesOf } from './sums.js';

const { pipeline: text } = words;

/** The quote with its products and the exact price of each. */
export function SaleQuote({ of: { quote_details } }: { of: Sale }) {
  return (
    <section aria-label={text.quote}>
      <h3>{text.quote}</h3>
      {quote_details ? <Products of={quote_details} /> : <p class="quiet">{text.noQuote}</p>}
    </section>
  );
}

function Products({ of: { output, arguments: given } }: { of: NonNullable<Sale['quote_details']> }) {
  const { currency, total_price } = output;
  return (
    <table class="quote">
      <thead>
        <tr>
          <th scope="col">{text.product}</th>
          <th scope="col">{text.quantity}</th>
          <th scope="col">{text.price}</th>
          <th scope="col">{text.sum}</th>
        </tr>
      </thead>
      <tbody>
        {given.products.map(({ product_name, quantity, unit_price }, nr) => (
          <tr key={nr}>
            <th scope="row" dir="auto">
              {product_name}
            </th>
            <td>{number(quantity)}</td>
            <td>{unitPrice(unit_price, currency)}</td>
            <td>{money(timesOf(quantity, unit_price), currency)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={3}>
            {text.total}
          </th>
          <td>{money(total_price, currency)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
