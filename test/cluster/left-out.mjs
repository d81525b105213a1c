/** The specs of `test/e2e` and `test/process` that say nothing of a given server, each with its reason. */
export const LEFT_OUT = {
  'demo.spec.ts': 'the demo is made with the embedded database',
  'docker.spec.ts': 'reads files only',
  'doctor.spec.ts': 'judges servers of its own, with settings of its own',
  'examples.spec.ts': 'its examples are of the demo',
  'expand-statements.spec.ts': 'reads the log of the embedded database',
  'guide.spec.ts': 'the guides are about the embedded database and the demo',
  'health.spec.ts': 'stops and starts the embedded database',
  'log.spec.ts': 'has the embedded database go away',
  'plans.spec.ts': 'reads the log of the embedded database',
  'queues.spec.ts': 'looks at the tables of the queue as they are on the embedded database',
  'releases.spec.ts': 'restores dumps of earlier versions',
  'starting.spec.ts': 'starts the embedded database, or in vain',
};
