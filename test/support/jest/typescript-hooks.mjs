// Lets Node import the TypeScript sources where Jest's own transform does not reach: in its global setup.
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const SWC = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
};

export function resolve(specifier, context, next) {
  if (specifier.startsWith('#'))
    return next(specifier, { ...context, conditions: [...context.conditions, 'development'] });
  if (specifier.startsWith('.') && context.parentURL?.endsWith('.ts'))
    return next(specifier.replace(/\.js$/, '.ts'), context);
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), SWC);
  return { format: 'module', source: code, shortCircuit: true };
}
