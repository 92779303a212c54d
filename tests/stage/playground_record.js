// What the playground computes for a link, for a test that holds it against nca_core.
import { prepared } from "./data_sets.js";
import { fromHash, toHash } from "./settings.js";
import { Training } from "./training.js";

window.recordPlayground = (hash, tables, iterations) => {
  const [settings] = fromHash(hash);
  const rows = prepared(settings, tables);
  const { dimensions: components, start, seed } = settings;
  const training = new Training({ ...rows, components, start, seed, maxIter: iterations });
  const { value, gradient, entropy } = training.climb.at;
  const path = [], numbers = [training.latest];
  do path.push([...training.climb.A]);
  while (training.step() && numbers.push(training.latest));
  return {
    X: [...training.train.X], y: [...training.train.labels],
    test: { X: training.test.flatMap((i) => [...rows.X.subarray(i * rows.features, (i + 1) * rows.features)]),
      y: training.test.map((i) => rows.labels[i]) },
    features: rows.features, unit: training.start.unit, value, gradient: [...gradient], entropy: [...entropy], path,
    axes: { pca: [...training.frames.pca], lda: [...training.frames.lda] }, scores: training.opened().scores,
    numbers: numbers.map(({ frame, ...each }) => each),
  };
};

window.readLink = (hash) => {
  const [settings, unread] = fromHash(hash);
  return { settings, unread, hash: toHash(settings) };
};
