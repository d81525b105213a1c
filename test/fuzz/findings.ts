import type { Client } from '../support/clients/client.js';
import { type FuzzedRequest, nameOf } from './requests.js';

/** What differs from request to request where the fault is the same. */
const VARYING = /"(request_id|instance)":"[^"]*"|[a-z]+_[0-9a-z]{26}|\d+/g;
const LONGEST_KIND = 160;
const LONGEST_EXAMPLE = 1_500;

/** Faults by their kind, with the first example of each, and how often each status was answered. */
export class Findings {
  private readonly faults = new Map<string, { times: number; example: string }>();
  private readonly statuses = new Map<string, number>();
  private readonly done = new Set<string>();

  note(request: FuzzedRequest, status: number | 'no answer', faults: string[]): void {
    const name = nameOf(request.operation);
    const tallied = `${request.isValid ? 'valid' : 'changed'} ${status}`;
    this.statuses.set(tallied, (this.statuses.get(tallied) ?? 0) + 1);
    if (typeof status === 'number' && status < 400) this.done.add(name);
    for (const fault of faults) {
      const kind = `${name}: ${fault.replace(VARYING, '…').slice(0, LONGEST_KIND)}`;
      const { times, example } = this.faults.get(kind) ?? {
        times: 0,
        example: `${shown(request)}\n  ${fault}`,
      };
      this.faults.set(kind, { times: times + 1, example });
    }
  }

  /** Names of operations that have succeeded at least once. */
  get succeeded(): ReadonlySet<string> {
    return this.done;
  }

  all(): string[] {
    return [...this.faults.values()].map(({ times, example }) => `${times} times, such as ${example}`);
  }

  tally(): string {
    return [...this.statuses]
      .sort()
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ');
  }
}

const shown = ({ operation, path, query, headers, body }: FuzzedRequest): string =>
  `${operation.method} ${path}?${query} ${JSON.stringify(headers)}\n  ${body?.toString('latin1') ?? 'no body'}`.slice(
    0,
    LONGEST_EXAMPLE,
  );

/** Bytes that the server's process holds, PostgreSQL apart. */
export async function memoryOf(open: Client): Promise<number> {
  const { text } = await open.get('/metrics');
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]);
}
