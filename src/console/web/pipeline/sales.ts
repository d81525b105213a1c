import type { Sale } from '../data/records.js';

/** Where sales are found. */
export const SALES = { place: 'sales', idOf: ({ sale_id }: Sale) => sale_id } as const;
