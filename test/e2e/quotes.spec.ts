import { type Json, ok } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';
import { type SalesWorkspace, salesWorkspace } from '../support/data/sales.js';

let own: SalesWorkspace;
let sale: Json;
beforeAll(async () => {
  own = await salesWorkspace();
});
beforeEach(async () => {
  sale = await own.open();
});

const CHAIR = { product_name: 'Chair', quantity: 2, unit_price: '19.99' };
const quote = (fields: object = {}) => ({ currency: 'USD', products: [CHAIR], ...fields });
const put = (body: object) => own.api.put(`sales/${sale.sale_id}/quote`, body);
const detailsOf = async (body: object): Promise<Json> => (await ok(put(body))).quote_details;
const totalOf = async (...products: [number, string][]): Promise<string> => {
  const named = products.map(([quantity, unit_price]) => ({ product_name: 'x', quantity, unit_price }));
  return (await detailsOf(quote({ products: named }))).output.total_price;
};

describe('a quote', () => {
  it('is answered with the sale that has it, and shown wherever the sale is', async () => {
    const answer = await put(quote());
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...sale,
      updated_at: answer.body.updated_at,
      quote_details: {
        output: { currency: 'USD', total_price: '39.98' },
        arguments: { products: [CHAIR] },
      },
      last_activity_at: answer.body.last_activity_at,
    });
    expect(await own.show(sale)).toEqual(answer.body);
    expect((await ok(own.api.get('sales', { limit: 1 }))).data).toEqual([answer.body]);
  });

  it('takes the place of the one before, its overrides included', async () => {
    await detailsOf(quote({ agent_overrides: { total_price: '1' } }));
    expect(await detailsOf(quote({ currency: 'EUR', products: [CHAIR, CHAIR] }))).toEqual({
      output: { currency: 'EUR', total_price: '79.96' },
      arguments: { products: [CHAIR, CHAIR] },
    });
  });

  it('that is given again changes nothing', async () => {
    const first = await ok(put(quote({ agent_overrides: { a: 1, b: { c: 2 } } })));
    expect(await ok(put(quote({ agent_overrides: { b: { c: 2 }, a: 1 } })))).toEqual(first);
  });

  it('stays when the sale is changed', async () => {
    const { quote_details } = await ok(put(quote()));
    expect(
      await own.patch(sale, { status_id: own.stages[1].status_id, owner_id: own.agentId }),
    ).toMatchObject({
      quote_details,
    });
  });

  it('keeps the order of its products', async () => {
    const products = ['b', 'a', 'c'].map((product_name) => ({ ...CHAIR, product_name }));
    expect((await detailsOf(quote({ products }))).arguments.products).toEqual(products);
  });
});

describe('the total of a quote', () => {
  it.each<[string, ...[number, string][]]>([
    ['0.3', [1, '0.1'], [1, '0.2']],
    ['0.3', [3, '0.1']],
    ['59.97', [3, '19.99']],
    ['100.0000', [1_000_000, '0.0001']],
    ['10.005', [1, '10.00'], [1, '0.005']],
    ['0', [5, '0']],
    ['0.00', [1, '0.00']],
    ['2400', [2, '1200']],
    ['9007199254740993.01', [1, '9007199254740993.01']],
    ['27021597764222979.03', [3, '9007199254740993.01']],
    ['9007199254740991', [9_007_199_254_740_991, '1']],
    ['999999999999999999999999999999.9999', [1, '999999999999999999999999999999.9999']],
    ['1.0001', [1, '1'], [1, '0.0001']],
  ])('is %s, exactly, for %j', async (total, ...products) => {
    expect(await totalOf(...products)).toBe(total);
    expect((await own.show(sale)).quote_details.output.total_price).toBe(total);
  });

  it('is what the agent puts in its place, as given', async () => {
    for (const total_price of ['1500.00', '0', '0.0001']) {
      const agent_overrides = { total_price, reason: 'a friend' };
      expect(await detailsOf(quote({ agent_overrides }))).toEqual({
        output: { currency: 'USD', total_price },
        arguments: { products: [CHAIR] },
        agent_overrides,
      });
    }
  });
});

describe('agent_overrides', () => {
  it.each([
    [{}],
    [{ total_price: null }],
    [{ discount: { percent: 10.5, by: ['Ada', null, true] }, constructor: 1 }],
  ])('are free and shown as they were set: %j', async (agent_overrides) => {
    const details = await detailsOf(quote({ agent_overrides }));
    expect(details).toMatchObject({ agent_overrides, output: { total_price: '39.98' } });
    expect((await own.show(sale)).quote_details).toEqual(details);
  });

  it.each([[undefined], [null]])('are absent when they are %j', async (agent_overrides) => {
    expect(Object.keys(await detailsOf(quote({ agent_overrides }))).sort()).toEqual(['arguments', 'output']);
  });

  it.each([[100], ['abc'], ['-1'], ['1.00001'], [''], [{}], [true], ['1e3']])(
    'are refused with the total_price %j',
    async (total_price) => {
      expectProblem(
        await put(quote({ agent_overrides: { total_price } })),
        400,
        'validation_failed',
        'agent_overrides.total_price',
      );
      expect(await own.show(sale)).toEqual(sale);
    },
  );

  it.each([['x'], [1], [[]], [false]])('are refused when they are %j', async (agent_overrides) => {
    expectProblem(await put(quote({ agent_overrides })), 400, 'validation_failed', 'agent_overrides');
  });
});

describe('a quote is refused, and the sale stays as it was,', () => {
  const product = (fields: object) => ({ products: [{ ...CHAIR, ...fields }] });

  it.each<[string, object]>([
    ['currency', { currency: undefined }],
    ['currency', { currency: null }],
    ['currency', { currency: '' }],
    ['currency', { currency: 840 }],
    ['currency', { currency: 'dollars' }],
    ['products', { products: undefined }],
    ['products', { products: null }],
    ['products', { products: [] }],
    ['products', { products: {} }],
    ['products', { products: ['x'] }],
    ['products', { products: [null] }],
    ['products.0.product_name', product({ product_name: undefined })],
    ['products.0.product_name', product({ product_name: null })],
    ['products.0.product_name', product({ product_name: '' })],
    ['products.0.product_name', product({ product_name: 1 })],
    ['products.0.product_name', product({ product_name: 'x'.repeat(1_001) })],
    ['products.0.quantity', product({ quantity: undefined })],
    ['products.0.quantity', product({ quantity: null })],
    ['products.0.quantity', product({ quantity: 0 })],
    ['products.0.quantity', product({ quantity: -1 })],
    ['products.0.quantity', product({ quantity: 1.5 })],
    ['products.0.quantity', product({ quantity: '2' })],
    ['products.0.quantity', product({ quantity: true })],
    ['products.0.quantity', product({ quantity: 1e20 })],
    ['products.0.unit_price', product({ unit_price: undefined })],
    ['products.0.unit_price', product({ unit_price: null })],
    ['products.0.unit_price', product({ unit_price: 19.99 })],
    ['products.0.unit_price', product({ unit_price: 20 })],
    ['products.0.unit_price', product({ unit_price: '-0.01' })],
    ['products.0.unit_price', product({ unit_price: '1.00001' })],
    ['products.0.unit_price', product({ unit_price: '' })],
    ['products.0.unit_price', product({ unit_price: '1,50' })],
    ['products.0.unit_price', product({ unit_price: '1e3' })],
    ['products.0.unit_price', product({ unit_price: ' 1' })],
    ['products.0.unit_price', product({ unit_price: 'NaN' })],
    ['products.0.unit_price', product({ unit_price: '$5' })],
    ['products.0.discount', product({ discount: 1 })],
    ['total_price', { total_price: '1' }],
    ['output', { output: {} }],
  ])('for a wrong %s: %j', async (field, fields) => {
    expectProblem(await put(quote(fields)), 400, 'validation_failed', field);
    expect(await own.show(sale)).toEqual(sale);
  });

  it('naming each product that is wrong', async () => {
    const products = [CHAIR, { ...CHAIR, quantity: 0 }, { ...CHAIR, unit_price: 'x' }];
    expectProblem(
      await put(quote({ products })),
      400,
      'validation_failed',
      'products.1.quantity',
      'products.2.unit_price',
    );
  });
});
