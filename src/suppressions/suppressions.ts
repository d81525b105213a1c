import { Injectable } from '@nestjs/common';
import { addressKey } from '#kernel/address.js';
import { newId } from '#kernel/id.js';
import { now } from '#kernel/instant.js';
import type { Reader, Transaction } from '#database/statements/statement.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import { EventStore } from '#event-store/event-store.js';
import { CrmQueries } from '../crm/crm.contract.js';
import { type Reason, suppression, type Suppression, type SuppressionCommand } from './suppression.js';
import { suppressions } from './suppressions.projection.js';
import { type Origin, SuppressionQueries } from './suppressions.queries.js';

/** An e-mail address or a phone number, as given. */
export type Address = { email: string } | { phone_number: string };

/** Tells which addresses are suppressed, and suppresses more. All spellings of an address are one. */
@Injectable()
export class Suppressions {
  constructor(
    private readonly store: EventStore,
    private readonly queries: SuppressionQueries,
    private readonly crm: CrmQueries,
  ) {}

  /** Those of the addresses that are suppressed, each as given, and why. */
  async among(
    reader: Reader,
    organizationId: string,
    addresses: Address[],
  ): Promise<{ address: Address; reason: Reason }[]> {
    if (addresses.length === 0) return [];
    const keys = await Promise.all(addresses.map((one) => this.keyOf(organizationId, one)));
    const found = await this.queries.ofKeys(reader, organizationId, keys);
    const reasons = new Map(found.map(({ address_key, reason }) => [address_key, reason]));
    return addresses.flatMap((address, index) => {
      const reason = reasons.get(keys[index]!);
      return reason === undefined ? [] : [{ address, reason }];
    });
  }

  /** Appends that suppress those of the addresses that are not suppressed yet. Of the others one that bounced is noted. */
  async adding(
    tx: Transaction,
    organizationId: string,
    addresses: Address[],
    reason: Reason,
  ): Promise<Append[]> {
    const { appends, known } = await this.sorted(tx, organizationId, addresses, reason);
    return reason === 'bounced' ? [...appends, ...(await this.bouncing(tx, organizationId, known))] : appends;
  }

  /** The same, and the suppressions of the other addresses. */
  async sorted(
    tx: Transaction,
    organizationId: string,
    addresses: Address[],
    reason: Reason,
  ): Promise<{ appends: Append[]; known: Suppression[] }> {
    if (addresses.length === 0) return { appends: [], known: [] };
    const keyed = await Promise.all(
      addresses.map(async (one) => [await this.keyOf(organizationId, one), one] as const),
    );
    const given = new Map(keyed);
    // Of two who suppress an address at once, the second sees the first's.
    this.store.lock(
      tx,
      organizationId,
      [...given.keys()].map((key) => `suppression:${key}`),
    );
    const known = await this.queries.ofKeys(tx, organizationId, [...given.keys()]);
    for (const { address_key } of known) given.delete(address_key);
    return { appends: [...given].map(([key, address]) => added(key, address, reason)), known };
  }

  /** Appends that let these addresses be sent to again that bounced, as mail came from them. Other reasons stay. */
  liftingBounces(tx: Transaction, organizationId: string, emails: string[]): Promise<Append[]> {
    const addresses = emails.map((email) => ({ email }));
    return this.lifting(tx, organizationId, addresses, ({ reason: listed }) => ({
      type: 'LiftBounce',
      listed,
    }));
  }

  /** Appends that let a number be sent to again that had asked for no more texts, as it asks for them. */
  liftingStop(tx: Transaction, organizationId: string, phone_number: string): Promise<Append[]> {
    return this.lifting(tx, organizationId, [{ phone_number }], ({ actor_type }) => ({
      type: 'LiftStop',
      // A text comes by a provider, and what the provider refuses is noted by the system.
      byHand: actor_type !== 'provider' && actor_type !== 'system',
    }));
  }

  private async lifting(
    tx: Transaction,
    organizationId: string,
    addresses: Address[],
    commandFor: (origin: Origin) => SuppressionCommand,
  ): Promise<Append[]> {
    if (addresses.length === 0) return [];
    const keys = await Promise.all(addresses.map((one) => this.keyOf(organizationId, one)));
    const known = await this.queries.ofKeys(tx, organizationId, keys);
    if (known.length === 0) return [];
    const ids = known.map((one) => one.suppression_id);
    const origins = await this.queries.origins(tx, organizationId, ids);
    const commands = new Map(origins.map((one) => [one.suppression_id, commandFor(one)]));
    return this.deciding(tx, organizationId, commands);
  }

  private bouncing(tx: Transaction, organizationId: string, known: Suppression[]): Promise<Append[]> {
    const bounced = known.filter(({ reason }) => reason !== 'bounced');
    const commands = new Map(
      bounced.map((one): [string, SuppressionCommand] => [one.suppression_id, { type: 'NoteBounce' }]),
    );
    return this.deciding(tx, organizationId, commands);
  }

  /** What the commands, by suppression, lead to. */
  private async deciding(
    tx: Transaction,
    organizationId: string,
    commands: Map<string, SuppressionCommand>,
  ): Promise<Append[]> {
    if (commands.size === 0) return [];
    const ids = [...commands.keys()];
    // Nobody takes them away meanwhile.
    this.store.lock(tx, organizationId, ids);
    const states = await this.store.loadAll(tx, organizationId, suppressions, ids);
    const appends = [...states].map(([id, current]) =>
      appendTo(suppressions, id, current, suppression.decide(current.state, commands.get(id)!)),
    );
    return appends.filter(({ events }) => events.length > 0);
  }

  private async keyOf(organizationId: string, address: Address): Promise<string> {
    return 'email' in address
      ? addressKey(address.email)
      : (await this.crm.phoneKey(organizationId, address.phone_number))!;
  }
}

function added(address_key: string, address: Address, reason: Reason): Append {
  const suppression_id = newId('supp');
  const events = suppression.decide(null, {
    type: 'AddSuppression',
    suppression_id,
    email: 'email' in address ? address.email : null,
    phone_number: 'email' in address ? null : address.phone_number,
    address_key,
    reason,
    created_at: now(),
  });
  return appendTo(suppressions, suppression_id, NEW, events);
}
