import { runEvaluations } from './evaluation.js';

const failed = runEvaluations();
if (failed > 0) process.exitCode = 1;
