import { PAGE } from './data.mjs';

const CONTACT = {
  name: 'Grace Hopper',
  email: 'Grace@navy.example',
  phone_number: '+1 (202) 555-0143',
  company_role: 'Rear admiral',
};

/**
 * What is measured. Each figure is the rate of its first side divided by that of its second: Parley and the bare
 * server, or two pages of Parley, where the quotient is what the second costs in units of the first.
 */
export function figuresOf({ parley, bare, toRead, toWrite, apiKey, contactIds, cursors, ...sales }) {
  const ours = (organizationId) => `${parley}/api/v2/organizations/${organizationId}/contacts`;
  const theirs = (organizationId) => `${bare}/organizations/${organizationId}/contacts`;
  const headers = { 'x-api-key': apiKey };
  const against = (make) => [ours, theirs].map((root) => ({ headers, ...make(root) }));
  const againstSales = (make) =>
    [`${parley}/api/v2/organizations`, `${bare}/organizations`].map((root) => ({
      headers,
      ...make((organizationId) => `${root}/${organizationId}/sales`),
    }));
  const page = (number) => ({
    headers,
    urls: [`${ours(toRead)}?limit=${PAGE}${cursors[number] === null ? '' : `&cursor=${cursors[number]}`}`],
  });
  return [
    {
      name: 'get',
      title: 'get one contact',
      atLeast: 0.75,
      sides: against((root) => ({ urls: contactIds.map((id) => `${root(toRead)}/${id}`) })),
    },
    {
      name: 'list',
      title: `list ${PAGE} contacts`,
      atLeast: 0.8,
      sides: against((root) => ({ urls: [`${root(toRead)}?limit=${PAGE}`] })),
    },
    {
      name: 'create',
      title: 'create a contact',
      atLeast: 0.5,
      sides: against((root) => ({ urls: [root(toWrite)], body: CONTACT })),
    },
    {
      name: 'page',
      title: 'cost of page 1,000 in pages 1',
      atMost: 1.2,
      same: true,
      sides: [page(1), page(1_000)],
    },
    {
      name: 'get-sale',
      title: 'get one sale',
      atLeast: 0.75,
      sides: againstSales((root) => ({ urls: sales.saleIds.map((id) => `${root(toRead)}/${id}`) })),
    },
    {
      name: 'list-sales',
      title: `list ${PAGE} sales`,
      atLeast: 0.75,
      sides: againstSales((root) => ({ urls: [`${root(toRead)}?limit=${PAGE}`] })),
    },
    {
      name: 'create-sale',
      title: 'create a sale',
      atLeast: 0.45,
      sides: againstSales((root) => ({ urls: [root(toWrite)], body: sales.sale })),
    },
    {
      name: 'move-sale',
      title: 'change the stage of a sale',
      atLeast: 0.45,
      // The present stage again, which extends the history like any other.
      sides: againstSales((root) => ({
        urls: sales.movedIds.map((id) => `${root(toWrite)}/${id}`),
        method: 'PATCH',
        body: { status_id: sales.sale.status_id },
      })),
    },
  ];
}
