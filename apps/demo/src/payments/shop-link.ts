import { HostRef, OnStarted } from '@apix/hostx';
import { Inject, Injectable } from '@nestjs/common';

/**
 * The way to the shop that has started this process: it hears when payments can be called and says when to
 * reload. When it is done, or gone, however that came, payments stop too. Without a shop it does nothing.
 */
@Injectable()
export class ShopLink {
  constructor(@Inject(HostRef) private readonly host: HostRef) {
    const leave = (): void => this.host.shutdown('the shop has hung up');
    process.once('disconnect', leave);
    process.on('message', (word) => {
      if (word === 'reload') void this.host.reload();
    });
    // It went while the modules were loaded.
    if (process.send !== undefined && !process.connected) leave();
  }

  @OnStarted()
  ready(): void {
    process.send?.('ready');
  }
}
