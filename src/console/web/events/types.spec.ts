import { readFileSync } from 'node:fs';
import { TYPES } from './types.js';

it('names every type of event that the API has, each once', () => {
  const { components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const types = Object.keys(components.schemas.Event.discriminator.mapping);
  expect(Object.values(TYPES).flat().sort()).toEqual(types.sort());
});
