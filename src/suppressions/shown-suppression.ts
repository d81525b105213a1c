import { inOrder } from '#kernel/in-order.js';
import type { Suppression } from './suppression.js';
import type { SuppressionResponse } from './suppressions.dto.js';

const FIELDS = ['suppression_id', 'email', 'phone_number', 'reason', 'created_at'] as const;

export const shown = (suppression: Suppression): SuppressionResponse => inOrder(suppression, FIELDS);
