// Started by slowpath in the target's own Node: writes at its end what the collector took.
'use strict';
(() => {
  const { isMainThread } = require('worker_threads');
  const folder = process.env.SLOWPATH_OUT;
  const v8 = require('v8');
  if (!isMainThread || !folder || typeof v8.GCProfiler !== 'function') return;
  const fs = require('fs');
  const path = require('path');
  const profiler = new v8.GCProfiler();
  profiler.start();
  process.on('exit', () => {
    try {
      const told = profiler.stop();
      const rows = (told && told.statistics) || [];
      let taken = 0, longest = 0, allocated = 0, last = null, kept = null;
      for (const row of rows) {
        taken += row.cost;
        longest = Math.max(longest, row.cost);
        const before = row.beforeGC.heapStatistics.usedHeapSize;
        if (last !== null && before > last) allocated += before - last;
        last = row.afterGC.heapStatistics.usedHeapSize;
        // A scavenge leaves the old generation as it is.
        if (/^Mark/.test(row.gcType)) kept = Math.max(kept ?? 0, last);
      }
      const ns = (micros) => Math.round(micros * 1000);
      const collector = {
        collections: rows.length, taken_ns: ns(taken), longest_ns: ns(longest), beside: false,
        allocated: rows.length > 1 ? allocated : null, kept,
      };
      const file = path.join(folder, `node.${process.pid}`);
      fs.writeFileSync(file, JSON.stringify({ collector, repeats: [] }));
      fs.renameSync(file, `${file}.json`);
    } catch (_) {
      // The target must not fail because of us.
    }
  });
})();
