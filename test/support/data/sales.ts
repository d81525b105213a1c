import { type Json, newWorkspace, ok, type Workspace, type WorkspaceOptions } from '../clients/client.js';
import { received } from './records.js';

/** A workspace with what sales are made of. */
export interface SalesWorkspace extends Workspace {
  /** The pipeline in order: Qualified, Quoted, Accepted, Fulfilled. */
  stages: Json[];
  companyId: string;
  contactIds: string[];
  conversationId: string;
  /** Opens a sale of the company in the first stage; `body` goes on top. */
  open(body?: object): Promise<Json>;
  patch(sale: Json, body: object): Promise<Json>;
  show(sale: Json): Promise<Json>;
}

export async function salesWorkspace(options?: WorkspaceOptions): Promise<SalesWorkspace> {
  const workspace = await newWorkspace(options);
  const { api } = workspace;
  const { data: stages } = await ok(api.get('sale-statuses'));
  const { company_id } = await ok(api.post('companies', { name: 'Navy' }));
  const contactIds: string[] = [];
  for (const name of ['Grace', 'Ada', 'Alan'])
    contactIds.push((await ok(api.post('contacts', { name }))).contact_id);
  const { conversation_id } = await ok(received(api, { contact: { contact_id: contactIds[0] } }));
  return {
    ...workspace,
    stages,
    companyId: company_id,
    contactIds,
    conversationId: conversation_id,
    open: (body = {}) => ok(api.post('sales', { status_id: stages[0].status_id, company_id, ...body })),
    patch: ({ sale_id }, body) => ok(api.patch(`sales/${sale_id}`, body)),
    show: ({ sale_id }) => ok(api.get(`sales/${sale_id}`)),
  };
}
