import type { Context } from '#kernel/context.js';
import type { Transaction } from '#database/statements/statement.js';
import type { Append } from './append.js';
import type { Change } from './change.js';
import type { Claim } from './external-ids.js';
import type { EventStore } from './event-store.js';
import { errorOfMissing } from './required.js';

/** A record that is to be created, and what is shown of it once it is. */
export interface Creation<Shown> {
  append: Append;
  /** The external id that it is to have. */
  claim?: Claim;
  shown: (created: Change) => Shown;
}

const isCreation = <Shown>(one: Creation<Shown> | Error): one is Creation<Shown> => !(one instanceof Error);

/** Creates a record. Throws its claim's error, and that of a record that it requires. */
export async function create<Shown>(
  store: EventStore,
  context: Context,
  { append, claim, shown }: Creation<Shown>,
): Promise<Shown> {
  const [created] = await store.append(context, [append], claim);
  return shown(created!);
}

/** Creates many records in one transaction, each decided alone: gives for each what is shown, or why it is refused. */
export function createEach<Shown extends object>(
  store: EventStore,
  context: Context,
  planned: (Creation<Shown> | Error)[],
): Promise<(Shown | Error)[]> {
  const { organizationId } = context;
  const creations = planned.filter(isCreation);
  const requires = creations.flatMap(({ append }) => append.requires.map(({ id }) => id));
  const keys = [...requires, ...creations.flatMap(({ claim }) => claim?.keys ?? [])];
  return store.exclusively(organizationId, keys, async (tx) => {
    const missing = new Set(await store.missing(tx, organizationId, requires));
    const claimed = new Map<string, string>();
    const decided: (Creation<Shown> | Error)[] = [];
    for (const one of planned) {
      const error = isCreation(one) ? await refusalOf(one, missing, claimed, tx) : one;
      decided.push(error ?? one);
      if (!error && isCreation(one) && one.claim) claimed.set(one.claim.keys[0]!, one.append.id);
    }
    const accepted = decided.filter(isCreation);
    const appends = accepted.map(({ append }) => append);
    const changes = appends.length === 0 ? [] : await store.appendIn(tx, context, appends);
    const created = new Map(accepted.map((one, index) => [one, one.shown(changes[index]!)]));
    return decided.map((one) => (isCreation(one) ? created.get(one)! : one));
  });
}

/** Why a record cannot be created: what it requires is missing, or its external id is another's, in the batch or outside. */
async function refusalOf(
  { append, claim }: Creation<unknown>,
  missing: Set<string>,
  claimed: Map<string, string>,
  tx: Transaction,
): Promise<Error | undefined> {
  const error = errorOfMissing(append.requires, missing);
  if (error || !claim) return error;
  const other = claimed.get(claim.keys[0]!);
  if (other !== undefined) return claim.taken(other);
  return claim.check(tx).then(
    () => undefined,
    (refusal: Error) => refusal,
  );
}
