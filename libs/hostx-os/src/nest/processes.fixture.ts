import { Module } from '@nestjs/common';
import { HostxModule, runHost } from '@apix/hostx';
import { runProcesses } from '@apix/hostx/processes';
import { bindSystemd } from '../sdnotify/bind-systemd.js';
import { acquireInstanceLock } from '../single/acquire-instance-lock.js';
import { SingleInstanceModule } from './single-instance.module.js';
import { SystemdModule } from './systemd.module.js';

/** An app in two processes under systemd, with a lock, for modules.spec.ts. */
const [what, path = ''] = process.argv.slice(2);

@Module({
  imports: [
    HostxModule.forRoot({ logger: null, http: false }),
    SystemdModule.forRoot(),
    SingleInstanceModule.forRoot({ path }),
  ],
})
class App {}

await runProcesses(
  {
    count: 2,
    parent(builder) {
      if (what !== 'without-systemd') bindSystemd(builder);
      if (what === 'without-lock') return;
      const lock = acquireInstanceLock(path);
      builder.addCloser('lock', () => lock.release());
    },
  },
  () => runHost(App, { nest: { logger: false } }),
);
