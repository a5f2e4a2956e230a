import { afterEach, describe, expect, it } from '@jest/globals';
import { onQuit, withoutHangup } from './nest-signals.js';

const told: string[] = [];

/** As Nest's shutdown hooks listen: by one function of this name, for every signal of its list. */
function cleanup(signal: NodeJS.Signals): void {
  told.push(`hooks ${signal}`);
}
const ofApp = (signal: NodeJS.Signals): void => void told.push(`app ${signal}`);

function enableHooks(...signals: NodeJS.Signals[]): void {
  for (const signal of signals) process.on(signal, cleanup);
}

afterEach(() => {
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) {
    process.off(signal, cleanup).off(signal, ofApp);
  }
  told.splice(0);
});

describe('a SIGQUIT', () => {
  it("is reported before Nest's shutdown hooks get it, until that is ended", () => {
    enableHooks('SIGTERM', 'SIGQUIT');
    const end = onQuit((signal) => void told.push(`host ${signal}`));
    process.emit('SIGQUIT', 'SIGQUIT');
    end();
    process.emit('SIGQUIT', 'SIGQUIT');
    expect(told).toEqual(['host SIGQUIT', 'hooks SIGQUIT', 'hooks SIGQUIT']);
  });

  it('is left alone where no hooks listen to it: it ends a process with a core dump', () => {
    enableHooks('SIGTERM');
    process.on('SIGQUIT', ofApp);
    const end = onQuit((signal) => void told.push(`host ${signal}`));
    process.emit('SIGQUIT', 'SIGQUIT');
    end();
    expect(told).toEqual(['app SIGQUIT']);
  });
});

describe('a SIGHUP', () => {
  it("is kept from Nest's shutdown hooks, not from the app, and given back to them", () => {
    enableHooks('SIGTERM', 'SIGHUP');
    process.on('SIGHUP', ofApp);
    const giveBack = withoutHangup();
    process.emit('SIGHUP', 'SIGHUP');
    expect(told.splice(0)).toEqual(['app SIGHUP']);
    giveBack();
    process.emit('SIGHUP', 'SIGHUP');
    expect(told).toEqual(['app SIGHUP', 'hooks SIGHUP']);
  });

  it('is not given back to hooks that have gone meanwhile', () => {
    enableHooks('SIGTERM', 'SIGHUP');
    const giveBack = withoutHangup();
    process.off('SIGTERM', cleanup);
    giveBack();
    expect(process.listeners('SIGHUP')).not.toContain(cleanup);
  });
});
