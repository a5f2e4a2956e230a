/** Prints what is done with each code block of the pages for users: `npm run blocks`. */
import { blockCoverage } from './block-coverage.js';
import { blockTables } from './block-tables.js';

const root = process.cwd();
const coverage = blockCoverage(root, blockTables(root));
for (const { fence, how = 'NOTHING', by } of coverage) {
  console.log(`${fence.place} ${fence.info || '-'}: ${how}, ${by}`);
}
const counts = new Map<string, number>();
for (const { how = 'NOTHING' } of coverage) counts.set(how, (counts.get(how) ?? 0) + 1);
console.log([...counts].map(([how, count]) => `${count} ${how}`).join(', '));
