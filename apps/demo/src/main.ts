import { windowsService } from '@apix/hostx-os/winsvc';

// First of all: Windows waits for a service for half a minute, and the rest takes time to load.
const service = windowsService('shop');
await service.announced;

const { runProcesses } = await import('@apix/hostx/processes');
const { shopProcesses } = await import('./shop-processes.js');
await runProcesses(await shopProcesses(service), async () => {
  const { runShop } = await import('./run-shop.js');
  await runShop(service);
});
