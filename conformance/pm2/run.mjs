// Reloads the recipe's app with PM2 under load: `npm run conformance:pm2 -- --quick`.
import { join } from 'node:path';
import { bundlesOf, runBundled } from '../bundle.mjs';
import { installed } from '../installed.mjs';
import { writeRecipe } from './recipe.mjs';

const here = import.meta.dirname;
installed(here);
await writeRecipe(join(bundlesOf(here), 'app'));
await runBundled(here, ['main.ts']);
