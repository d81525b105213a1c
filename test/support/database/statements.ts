import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { onOneLine } from './plans.js';

const ROOT = join(import.meta.dirname, '../../..');

/** A statement, or part of one, as a source file has it. */
export interface SourceStatement {
  /** `file:line` */
  at: string;
  text: string;
  /** Found in each statement made from it. */
  pattern: RegExp;
}

const BEGINS_STATEMENT = /^\s*\(*\s*(SELECT|WITH|INSERT INTO|UPDATE|DELETE FROM)\s/;

/** The SQL in the source files whose path matches. What templates put in may be anything. */
export const statementsIn = (files: RegExp): SourceStatement[] =>
  ['src', 'libs']
    .flatMap((dir) =>
      readdirSync(join(ROOT, dir), { recursive: true, encoding: 'utf8' }).map((path) => join(dir, path)),
    )
    .filter((path) => files.test(path) && !path.endsWith('.spec.ts'))
    .sort()
    .flatMap(statementsOf);

function statementsOf(path: string): SourceStatement[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(join(ROOT, path), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: SourceStatement[] = [];
  const visit = (node: ts.Node): void => {
    const pieces = piecesOf(node);
    if (pieces && BEGINS_STATEMENT.test(pieces[0]!)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({
        at: `${path}:${line + 1}`,
        text: onOneLine(pieces.join('…')),
        pattern: patternOf(pieces),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The text of a string, or that around the holes of a template. */
function piecesOf(node: ts.Node): string[] | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  return undefined;
}

/** A parameter is itself, or where statements go together the value of one of them. */
const patternOf = (pieces: string[]): RegExp =>
  new RegExp(
    pieces
      .map((piece) =>
        piece
          .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
          .replace(/\s+/g, '\\s*')
          .replace(/\\\$(\d+)/g, '(?:\\$$$1|asked\\.own_$1)\\b'),
      )
      .join('.*?'),
    's',
  );
