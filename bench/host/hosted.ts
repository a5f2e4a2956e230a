import { runHost } from '@apix/hostx';
import { App, ready } from './app.ts';

await runHost(App, {
  nest: { logger: false },
  http: { port: 0, host: '127.0.0.1' },
  drain: { delay: 0 },
  extend: (builder) => builder.onStarted(ready),
});
