import { loadModule, parse } from 'libpg-query';
import type { Json } from '../clients/client.js';

/** What the checks need to know of the database. */
export interface Schema {
  /** The tables with an `organization_id`. */
  tenantTables: Set<string>;
  /** Names of functions whose result may differ between two calls with the same arguments. */
  mutableFunctions: Set<string>;
}

/** How a statement names its organization: `$1`, or the parameter of the SQL function that it stands in. */
const FUNCTION_PARAMETER = 'p_organization_id';

/**
 * What keeps a statement from naming one organization as a plain parameter, on each tenant table that it touches; nothing when
 * it does, or touches none. A cluster that distributes the tables by organization can then send it to one node as it is.
 */
export async function faultsOf(sql: string, schema: Schema): Promise<string[]> {
  await loadModule();
  // A function's IF asks for an expression alone.
  const tree: Json = await parse(sql).catch(() => parse(`SELECT ${sql}`));
  const check = new Check(schema, new Set(nodesOf(tree, 'CommonTableExpr').map(({ ctename }) => ctename)));
  for (const { fromClause, whereClause } of nodesOf(tree, 'SelectStmt').flatMap(operandsOf))
    check.level(fromClause ?? [], whereClause);
  for (const insert of nodesOf(tree, 'InsertStmt')) check.insert(insert);
  for (const update of nodesOf(tree, 'UpdateStmt')) check.update(update);
  for (const gone of nodesOf(tree, 'DeleteStmt')) check.delete(gone);
  for (const merge of nodesOf(tree, 'MergeStmt')) check.merge(merge);
  return [...check.result(), ...(await otherServerFaultsOf(sql, schema))];
}

/**
 * What is wrong with a statement, of whatever organizations, that another server runs than the one that it was sent to: it has other
 * locks, and its snapshot other transaction ids than those of the events.
 */
export async function otherServerFaultsOf(sql: string, { tenantTables }: Schema): Promise<string[]> {
  await loadModule();
  const tree: Json = await parse(sql).catch(() => parse(`SELECT ${sql}`));
  const tables = nodesOf(tree, 'RangeVar').map(({ relname }) => relname);
  if (!tables.some((table) => tenantTables.has(table))) return [];
  const snapshotsIn = (part: Json) =>
    nodesOf(part, 'FuncCall').filter(({ funcname }) => nameOf(funcname) === OWN_SNAPSHOT).length;
  const replaceable = nodesOf(tree, 'CoalesceExpr').reduce((sum, part) => sum + snapshotsIn(part), 0);
  return [
    ...(tables.includes('pg_locks') ? ['pg_locks: the locks of another server'] : []),
    ...(snapshotsIn(tree) > replaceable ? [`${OWN_SNAPSHOT}(): the snapshot of another server`] : []),
  ];
}

const OWN_SNAPSHOT = 'pg_current_snapshot';

const nameOf = (funcname: Json[]): string => funcname.at(-1).String.sval;

/** A tenant table that a FROM, UPDATE or DELETE names, by its alias. */
type Alias = string;

/** `=` between organizations, of which each is an alias or a parameter. In an outer join it holds for some aliases only. */
interface Equality {
  sides: [Side, Side];
  holdsFor: Alias[];
}

type Side = { aliases: Alias[] } | { parameter: string } | null;

class Check {
  private readonly faults: string[] = [];
  private readonly parameters = new Set<string>();

  constructor(
    private readonly schema: Schema,
    private readonly ctes: Set<string>,
  ) {}

  result(): string[] {
    const named = [...this.parameters];
    return named.length > 1
      ? [...this.faults, `names organizations by ${named.sort().join(' and ')}`]
      : this.faults;
  }

  /** One query level: what stands in its FROM, and its WHERE. */
  level(from: Json[], where: Json): void {
    const tables = from.flatMap((item) => this.tablesIn(item));
    const all = tables.map(({ alias }) => alias);
    const merged: Alias[] = [];
    const equalities = [
      ...from.flatMap((item) => this.equalitiesOfJoins(item, merged)),
      ...equalitiesIn(where, all, all, merged),
    ];
    const bound = boundBy(equalities);
    for (const { alias, table } of tables) {
      const parameter = bound.get(alias);
      if (parameter === undefined) this.faults.push(`${table}: no parameter is its organization_id`);
      else this.parameters.add(parameter);
    }
  }

  insert({ relation, cols = [], selectStmt }: Json): void {
    if (!this.isTenant(relation)) return;
    const index = cols.findIndex(({ ResTarget }: Json) => ResTarget.name === 'organization_id');
    const { valuesLists, targetList = [] }: Json = selectStmt?.SelectStmt ?? {};
    const rows: Json[][] = valuesLists
      ? valuesLists.map(({ List }: Json) => List.items)
      : [targetList.map(({ ResTarget }: Json) => ResTarget.val)];
    for (const row of rows) {
      const parameter = index < 0 ? undefined : parameterIn(row[index]);
      if (parameter === undefined)
        this.faults.push(`${relation.relname}: no parameter is the organization_id of the new row`);
      else this.parameters.add(parameter);
    }
  }

  update({ relation, fromClause = [], targetList, whereClause }: Json): void {
    if (!this.isTenant(relation)) return;
    this.level([{ RangeVar: relation }, ...fromClause], whereClause);
    this.notByPlace(relation, whereClause);
    // The statement that Citus makes of it for a node mixes up the columns.
    if (nodesOf(targetList, 'MultiAssignRef').length > 0)
      this.faults.push(`${relation.relname}: several columns of one subquery`);
    for (const { funcname, args = [] } of nodesOf([targetList, whereClause], 'FuncCall')) {
      const name = nameOf(funcname);
      if (this.schema.mutableFunctions.has(name) && nodesOf(args, 'ColumnRef').length > 0)
        this.faults.push(`${relation.relname}: ${name}() of a column is not immutable`);
    }
  }

  delete({ relation, usingClause = [], whereClause }: Json): void {
    if (!this.isTenant(relation)) return;
    this.level([{ RangeVar: relation }, ...usingClause], whereClause);
    this.notByPlace(relation, whereClause);
  }

  merge({ relation }: Json): void {
    if (this.isTenant(relation)) this.faults.push(`${relation.relname}: MERGE`);
  }

  /** A `ctid` is a place in one node's table. */
  private notByPlace(relation: Json, where: Json): void {
    const isPlace = ({ fields }: Json) => fields.at(-1).String?.sval === 'ctid';
    if (nodesOf(where, 'ColumnRef').some(isPlace)) this.faults.push(`${relation.relname}: by ctid`);
  }

  private isTenant({ relname }: Json): boolean {
    return this.schema.tenantTables.has(relname) && !this.ctes.has(relname);
  }

  private tablesIn({ RangeVar: table, JoinExpr: join }: Json): { alias: Alias; table: string }[] {
    if (join) return [...this.tablesIn(join.larg), ...this.tablesIn(join.rarg)];
    if (!table || !this.isTenant(table)) return [];
    return [{ alias: table.alias?.aliasname ?? table.relname, table: table.relname }];
  }

  /** Of the ON and USING of joins. An outer join keeps rows of one side for which its condition does not hold. */
  private equalitiesOfJoins({ JoinExpr: join }: Json, merged: Alias[]): Equality[] {
    if (!join) return [];
    const { larg, rarg, jointype, quals, usingClause = [] } = join;
    const left = this.tablesIn(larg).map(({ alias }) => alias);
    const right = this.tablesIn(rarg).map(({ alias }) => alias);
    const holdsFor: Alias[] =
      {
        JOIN_INNER: [...left, ...right],
        JOIN_LEFT: right,
        JOIN_RIGHT: left,
      }[jointype as string] ?? [];
    const equalities = [
      ...this.equalitiesOfJoins(larg, merged),
      ...this.equalitiesOfJoins(rarg, merged),
      ...equalitiesIn(quals, [...left, ...right], holdsFor, merged),
    ];
    if (usingClause.some(({ String: name }: Json) => name.sval === 'organization_id')) {
      merged.push(...left, ...right);
      for (const one of left)
        for (const other of right)
          equalities.push({ sides: [{ aliases: [one] }, { aliases: [other] }], holdsFor });
    }
    return equalities;
  }
}

/** The equalities of organizations that a condition consists of, joined by AND. */
function equalitiesIn(condition: Json, aliases: Alias[], holdsFor: Alias[], merged: Alias[]): Equality[] {
  if (!condition) return [];
  const { BoolExpr: several, A_Expr: one } = condition;
  if (several?.boolop === 'AND_EXPR')
    return several.args.flatMap((arg: Json) => equalitiesIn(arg, aliases, holdsFor, merged));
  if (one?.kind !== 'AEXPR_OP' || one.name[0].String.sval !== '=') return [];
  return [{ sides: [sideOf(one.lexpr, aliases, merged), sideOf(one.rexpr, aliases, merged)], holdsFor }];
}

function sideOf(expression: Json, aliases: Alias[], merged: Alias[]): Side {
  const parameter = parameterIn(expression);
  if (parameter !== undefined) return { parameter };
  const names: string[] = (expression?.ColumnRef?.fields ?? []).map(({ String: name }: Json) => name?.sval);
  if (names.at(-1) !== 'organization_id') return null;
  const alias = names.at(-2);
  if (alias !== undefined) return aliases.includes(alias) ? { aliases: [alias] } : null;
  return aliases.length === 1 ? { aliases } : { aliases: merged };
}

function parameterIn(expression: Json): string | undefined {
  if (expression?.TypeCast) return parameterIn(expression.TypeCast.arg);
  if (expression?.ParamRef) return `$${expression.ParamRef.number}`;
  const [name, ...rest] = expression?.ColumnRef?.fields ?? [];
  return rest.length === 0 && name?.String?.sval === FUNCTION_PARAMETER ? FUNCTION_PARAMETER : undefined;
}

/** The parameter of each alias that is equal to one, itself or through others. */
function boundBy(equalities: Equality[]): Map<Alias, string> {
  const bound = new Map<Alias, string>();
  const parameterOf = (side: Side): string | undefined => {
    if (side === null) return undefined;
    if ('parameter' in side) return side.parameter;
    return side.aliases.map((alias) => bound.get(alias)).find((one) => one !== undefined);
  };
  for (let size = -1; size < bound.size;) {
    size = bound.size;
    for (const { sides, holdsFor } of equalities)
      for (const [one, other] of [sides, [...sides].reverse() as [Side, Side]]) {
        const parameter = parameterOf(other);
        if (parameter === undefined || one === null || 'parameter' in one) continue;
        for (const alias of one.aliases)
          if (holdsFor.includes(alias) && !bound.has(alias)) bound.set(alias, parameter);
      }
  }
  return bound;
}

/** The SELECTs of a UNION, an INTERSECT or an EXCEPT; the SELECT itself when it is none. */
const operandsOf = (select: Json): Json[] =>
  select.larg ? [...operandsOf(select.larg), ...operandsOf(select.rarg)] : [select];

/** All nodes of a kind in a parse tree, however deep. */
export function nodesOf(tree: Json, kind: string): Json[] {
  if (tree === null || typeof tree !== 'object') return [];
  return Object.entries(tree).flatMap(([key, value]) => [
    ...(key === kind ? [value as Json] : []),
    ...nodesOf(value, kind),
  ]);
}
