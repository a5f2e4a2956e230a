// Every kind of event that the packages write, against ECS and ecs-logging: `npm run conformance:ecs`.
import { installed } from '../installed.mjs';
import { runBundled } from '../bundle.mjs';

installed(import.meta.dirname);
await runBundled(import.meta.dirname, ['main.ts']);
