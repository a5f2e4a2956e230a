import { TestAllTypesSchema } from '@bufbuild/cel-spec/cel/expr/conformance/proto3/test_all_types_pb.js';
import { PGlite } from '@electric-sql/pglite';
import { areMistakes } from '../../libs/authz/src/cel/cel-scope.js';
import { compileExpression } from '../../libs/authz/src/cel/compile-expression.js';
import { compileFilter } from '../../libs/authz/src/cel/filter/compile-filter.js';
import { matchesFilter } from '../../libs/authz/src/cel/filter/record-filter.js';
import { toSql } from '../../libs/authz/src/filters/to-sql.js';
import { condition, fillRecords, knownValues, NAMES, scope } from './filter-cases.js';
import { seeded } from './random-expressions.js';

/** Random conditions on random records: the list that PostgreSQL gives is the records for which the condition is true. */
export async function runFilters(conditions: number, rows: number, seed: number): Promise<number> {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const database = new PGlite();
  const records = await fillRecords(database, rows, random);
  let failed = 0;
  let empty = 0;
  let all = 0;
  for (let count = 0; count < conditions; count++) {
    const source = condition(random, 3);
    const values = knownValues(pick);
    const filter = compileFilter(source, scope, 'resource');
    const compiled = compileExpression(source, scope);
    if (areMistakes(filter) || areMistakes(compiled)) {
      failed++;
      console.log(`FAILED ${source}: ${JSON.stringify(filter)}`);
      continue;
    }
    const plan = filter.plan(values);
    const listFilter = { desc: TestAllTypesSchema, fields: filter.fields, where: plan };
    const { text, values: parameters } = toSql(listFilter, { columns: NAMES });
    const wanted = records.flatMap((record, id) =>
      compiled.evaluate({ ...values, resource: record }) === true ? [id] : [],
    );
    const matched = records.flatMap((record, id) => (matchesFilter(plan, record) ? [id] : []));
    const listed = await listedBy(database, text, parameters);
    if (wanted.length === 0) empty++;
    if (wanted.length === rows) all++;
    if (same(listed, wanted) && same(matched, wanted)) continue;
    failed++;
    const other = [...listed, ...matched, ...wanted].find(
      (id) =>
        listed.includes(id) !== wanted.includes(id) || matched.includes(id) !== wanted.includes(id),
    );
    console.log(
      `FAILED ${source}\n  ${text} ${shown(parameters)}\n  ${wanted.length} wanted, ${matched.length} matched, ` +
        `${listed.length} listed, such as ${shown(records[other ?? 0])}; known: ${shown(values)}`,
    );
  }
  await database.close();
  console.log(
    `filters: ${conditions} conditions on ${rows} records of seed ${seed}, ${empty} list none, ${all} all, ${failed} differ`,
  );
  return failed;
}

async function listedBy(
  database: PGlite,
  text: string,
  parameters: readonly unknown[],
): Promise<readonly number[]> {
  try {
    const { rows } = await database.query<{ id: number }>(
      `SELECT id FROM records WHERE ${text} ORDER BY id`,
      [...parameters],
    );
    return rows.map(({ id }) => id);
  } catch (error) {
    console.log(`  ${String(error)}`);
    return [-1];
  }
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, at) => id === b[at]);
}

function shown(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ??
    ''
  );
}
