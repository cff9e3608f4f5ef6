import type { FromWorker, ToWorker } from './protocol.ts';
import { EngineService } from './service.ts';

// A task of its own for each step: a timer's four milliseconds add up, a message to ourselves waits its turn and no more.
const steps = new MessageChannel();
const waiting: (() => void)[] = [];
steps.port1.onmessage = () => waiting.shift()?.();

const tell = (message: FromWorker): void => self.postMessage(message);
const service = new EngineService({
  send: tell,
  later: (step) => {
    waiting.push(step);
    steps.port2.postMessage(null);
  },
  now: () => performance.now(),
});

self.addEventListener('message', (event: MessageEvent<ToWorker>) => service.receive(event.data));
tell({ kind: 'ready' });
