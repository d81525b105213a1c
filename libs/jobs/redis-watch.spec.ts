import { EventEmitter } from 'node:events';
import { RedisWatch } from './redis-watch.js';

it('Redis that goes away is told once and told once when it is back, however many connections there are', () => {
  const told: boolean[] = [];
  const watch = new RedisWatch((isUp) => told.push(isUp));
  const connections = Array.from({ length: 4 }, () => new EventEmitter());
  for (const connection of connections) watch.watch(connection);
  const all = (event: string) => connections.forEach((connection) => connection.emit(event));
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

  all('ready');
  expect(told).toEqual([]);
  for (let attempt = 0; attempt < 20; attempt++) all('close');
  expect([told, watch.covers(refused), watch.covers(new Error('Connection is closed.'))]).toEqual([
    [false],
    true,
    true,
  ]);
  connections[0]!.emit('ready');
  expect(told).toEqual([false]);
  all('ready');
  expect([told, watch.covers(new Error('READONLY'))]).toEqual([[false, true], false]);

  watch.stop();
  all('close');
  expect(told).toEqual([false, true]);
});
