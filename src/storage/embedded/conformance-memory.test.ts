import { testStorage } from '../conformance/suite.ts';
import { openEmbeddedStorage } from './engine.ts';

testStorage({ name: 'embedded in memory', open: () => openEmbeddedStorage({ dataDir: undefined }) });
