import { findUnstorable } from '#http/input/clean-json.js';
import { FormBody, requireFew } from '#http/input/form-body.js';
import { invalid, Problem } from '#http/problems/problem.js';
import type { FormFields } from './form-answers.js';
import type { IncomingFile } from '#mail/mail.js';

/** The fields and files of a form, however it was sent; for a file, `fields` has its description. Throws a `Problem`. */
export async function readForm(body: unknown): Promise<{ fields: FormFields; files: IncomingFile[] }> {
  const files: IncomingFile[] = [];
  const fields = body instanceof FormBody ? await readFields(body, files) : readJson(body);
  if (Object.keys(fields).length === 0)
    throw invalid([{ field: 'body', detail: 'must hold at least one field' }]);
  const unstorable = findUnstorable(fields);
  if (unstorable.length > 0) throw invalid(unstorable);
  return { fields, files };
}

function readJson(body: unknown): FormFields {
  if (Buffer.isBuffer(body))
    throw new Problem(415, 'unsupported_media_type', 'Send the form as JSON, url-encoded or multipart.');
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid([{ field: 'body', detail: 'must be a JSON object' }]);
  requireFew(Object.keys(body));
  return body as FormFields;
}

async function readFields(body: FormBody, files: IncomingFile[]): Promise<FormFields> {
  const values = new Map<string, unknown[]>();
  for (const [name, value] of await body.fields()) {
    // Refused in JSON, too: copied into an object, this name would change the object's prototype.
    if (name === '__proto__') throw invalid([{ field: name, detail: 'is no name for a field' }]);
    // A browser sends an unused file input with neither name nor bytes.
    if (typeof value !== 'string' && value.name === '' && value.size === 0) continue;
    const all = values.get(name) ?? [];
    all.push(typeof value === 'string' ? value : await readFile(value, files));
    values.set(name, all);
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
}

async function readFile(file: File, files: IncomingFile[]): Promise<object> {
  const { name, type, size } = file;
  files.push({
    name,
    type,
    bytes: new Uint8Array(await file.arrayBuffer()),
    isInline: false,
    contentId: null,
  });
  return { file_name: name, content_type: type, size };
}
