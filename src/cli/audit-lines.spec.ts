import type { AuditLogResponse } from '../audit/audit.contract.js';
import { auditLine } from './audit-lines.js';

const RECORD: AuditLogResponse = {
  audit_log_id: 'audit_1',
  occurred_at: '2026-01-02T03:04:05.678901Z',
  agent_id: 'agent_1',
  action_type: 'update',
  record: { type: 'sale', id: 'sale_1' },
  changes: [{ field: 'owner_id', from: null, to: 'agent_1' }],
  actor: { type: 'agent', id: 'agent_1', name: 'Ada Byron' },
  key_id: 'key_1',
  request_id: null,
  event_id: 'event_1',
  reason: null,
};
const lineOf = (changes: Partial<AuditLogResponse & { organization_id: string }>) =>
  auditLine({ ...RECORD, ...changes });

describe('a line of the audit log', () => {
  it('says when, who, what and which fields', () => {
    expect(lineOf({})).toBe(
      '2026-01-02 03:04:05Z  Ada Byron (with key_1) changed sale sale_1: owner_id none → "agent_1"',
    );
  });

  it('names the request, and the organization where there are several', () => {
    expect(lineOf({ request_id: 'r-1', organization_id: 'org_1' })).toMatch(/ in org_1 {2}\[r-1\]$/);
  });

  it('has the stage by its label', () => {
    const stage = (label: string) => ({ status_id: 'stage_1', label, status: null, changed_at: 'x' });
    const changes = [
      { field: 'current_status', from: stage('Quoted'), to: stage('Accepted') },
      { field: 'status_history', from: [], to: [stage('Quoted')] },
    ];
    expect(lineOf({ changes })).toMatch(/: current_status "Quoted" → "Accepted"$/);
  });

  it.each([
    ['insert', 'Ada Byron (with key_1) made task task_1: title "Call"'],
    ['delete', 'Ada Byron (with key_1) deleted task task_1: title "Call"'],
  ])('tells an %s by its values', (action_type, said) => {
    const [from, to] = action_type === 'insert' ? [null, 'Call'] : ['Call', null];
    const changes = [{ field: 'title', from, to }];
    expect(lineOf({ action_type, record: { type: 'task', id: 'task_1' }, changes })).toContain(said);
  });

  it('tells a promotion as what it is', () => {
    const record = { type: 'response_draft', id: 'response_1' };
    const actor = { type: 'system', id: null, name: null };
    expect(lineOf({ action_type: 'delete', reason: 'promoted', record, actor, key_id: null })).toBe(
      '2026-01-02 03:04:05Z  Parley sent response draft response_1, which is a message now',
    );
  });

  it.each([
    ['key', 'key_1', 'Website', 'Key Website changed'],
    ['key', 'key_1', null, 'Key key_1 changed'],
    ['operator', null, null, 'An operator changed'],
    ['provider', 'channel_1', null, 'Provider channel_1 changed'],
    ['provider', null, null, 'Provider (unknown) changed'],
  ])('names a %s', (type, id, name, said) => {
    expect(lineOf({ actor: { type, id, name } })).toContain(said);
  });

  it('stays a line, whatever people have written', () => {
    const changes = [{ field: 'name', from: 'a\nb\u001b[31m\u202e', to: 'x'.repeat(100) }];
    const line = lineOf({ changes, request_id: 'a\u009bb', actor: { ...RECORD.actor, name: 'Ada\u0007' } });
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(line).toContain(`${'x'.repeat(59)}…`);
  });
});
