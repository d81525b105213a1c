import type { Statement } from '#database/statements/statement.js';

/** A question of one kind of work: SQL without parameters that selects `organization_id` of each row that is due, by the database's clock. */
export interface DueQuestion {
  name: string;
  due: string;
}

/** Which of these kinds are due (`kind`, a name), in one statement. */
export function dueKinds(questions: DueQuestion[]): Statement {
  const all = questions.map(
    ({ name, due }) => `SELECT organization_id, '${name}' AS kind FROM (${due}) AS due_${name}`,
  );
  return {
    name: `due_kinds_of_${all.length}`,
    text: `SELECT DISTINCT kind FROM (${all.join(' UNION ALL ')}) AS due`,
  };
}
