// The app in a process of its own, which listens at the port that is its argument.
import { runHost } from '@apix/hostx';
import { appModule } from './app.js';

await runHost(appModule({ port: Number(process.argv[2]), drainDelay: '3s' }));
