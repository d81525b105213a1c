// Gives the tests of the project `redis` their own server in place of the one that the other projects share.
Object.assign(process.env, JSON.parse(process.env.PARLEY_TEST_ON_REDIS ?? '{}'));
