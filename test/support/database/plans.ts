import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../clients/client.js';

/** PostgreSQL logs the plan of each statement that it runs, those inside functions too, with what it has really read. */
export const LOGGING_PLANS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_parameter_max_length': '0',
  'auto_explain.log_format': 'json',
};

/** What one step of a plan has read of a table. */
export interface Reading {
  how: string;
  table: string;
  /** Those that a filter has thrown away included. */
  rows: number;
  /** Of 8 KiB, of the table and its index. */
  blocks: number;
}

export interface Plan {
  text: string;
  readings: Reading[];
  /** How many rows each of its sorts has taken in. */
  sorted: number[];
}

/** What the server of a data directory has logged since this was made. */
export class PlanLog {
  private readonly path: string;
  private readonly offset: number;

  constructor(dataDir: string) {
    this.path = join(dataDir, 'postgres.log');
    this.offset = statSync(this.path).size;
  }

  plans(): Plan[] {
    const logged = readFileSync(this.path).subarray(this.offset).toString();
    const found = logged.matchAll(/LOG: {2}duration: [\d.]+ ms {2}plan:\n((?:\t.*\n)+)/g);
    return [...found].map(([, json]) => {
      const { 'Query Text': text, Plan: root } = JSON.parse(json!.replace(/^\t/gm, ''));
      const nodes = below(root);
      const sorts = nodes.filter((node) => /Sort$/.test(node['Node Type']));
      return {
        text: onOneLine(text),
        readings: nodes.filter((node) => node['Relation Name'] && isScan(node)).map(readingOf),
        sorted: sorts.map((node) => rowsOf(node.Plans[0])),
      };
    });
  }
}

const below = (node: Json): Json[] => [node, ...(node.Plans ?? []).flatMap(below)];

const isScan = (node: Json): boolean => /Scan$/.test(node['Node Type']);

const rowsOf = (node: Json): number =>
  Math.round(
    node['Actual Loops'] *
      (node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)),
  );

const readingOf = (node: Json): Reading => {
  // A bitmap is made by an index scan below the scan of the table; other plans below are not its own reading.
  const others: Json[] = (node.Plans ?? []).filter(
    (child: Json) => child['Node Type'] !== 'Bitmap Index Scan',
  );
  return {
    how: node['Node Type'] + (node['Index Name'] ? ` ${node['Index Name']}` : ''),
    table: node['Relation Name'],
    rows: rowsOf(node),
    blocks: blocksOf(node) - others.reduce((sum, child) => sum + blocksOf(child), 0),
  };
};

const blocksOf = (node: Json): number => node['Shared Hit Blocks'] + node['Shared Read Blocks'];

export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
