import { runChecking } from './checking.js';
import { runDifferential } from './differential.js';
import { runEvaluations } from './evaluation.js';
import { runFilters } from './filters.js';
import { runParsing } from './parsing.js';

const quick = process.argv.includes('--quick');
const seed = Number(process.argv.find((arg) => arg.startsWith('--seed='))?.slice(7) ?? 1);
const failed =
  runEvaluations() +
  runParsing() +
  runChecking() +
  (await runFilters(quick ? 200 : 1000, quick ? 200 : 1000, seed)) +
  runDifferential(quick ? 3000 : 100_000, seed);
if (failed > 0) process.exitCode = 1;
