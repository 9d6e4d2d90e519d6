// Started by slowpath in the target's own Node: writes at its end what the collector took and, where that was asked, in
// which functions objects were made, which calls repeat and which take longer the more there is, and what its loop waits for.
'use strict';
(() => {
  // Bytes between two samples, on average: a program that makes 100 GB holds half a million samples at its end.
  const INTERVAL = 1 << 18;
  // Functions that are told, by bytes.
  const MOST = 200;

  const { isMainThread } = require('worker_threads');
  const folder = process.env.SLOWPATH_OUT;
  const v8 = require('v8');
  if (!isMainThread && process.env.SLOWPATH_WATCH) {
    // What was laid ready for the main thread may be loaded here, too.
    const idle = { next: Infinity, enter: () => null, back: (_, value) => value };
    Object.defineProperty(globalThis, '__slowpath', { value: new Proxy([], { get: () => idle }) });
  }
  if (!isMainThread || !folder || typeof v8.GCProfiler !== 'function') return;
  const fs = require('fs');
  const path = require('path');
  const { fileURLToPath } = require('url');

  // V8's own samples of where objects are made. It tells functions as they stand on the stack, so inlined ones hide in
  // their callers, and forgets the names of those that nobody can reach any more. While V8 notes which functions ran,
  // it inlines none and keeps all. The user's own coverage does both, too, and must stay as it is.
  const sample = () => {
    try {
      const { Session } = require('inspector');
      const session = new Session();
      session.connect();
      if (!process.env.NODE_V8_COVERAGE) {
        session.post('Profiler.enable');
        session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false });
      }
      let began = false;
      session.post('HeapProfiler.startSampling', {
        samplingInterval: INTERVAL,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      }, (error) => { began = !error; });
      return began ? session : null;
    } catch (_) {
      return null;
    }
  };

  const placed = ({ functionName, url, lineNumber, columnNumber }) => {
    let file = url || null;
    try {
      if (file && file.startsWith('file:')) file = fileURLToPath(file);
    } catch (_) {
      // It stays as it is.
    }
    const known = file !== null && lineNumber >= 0;
    const top = known && lineNumber === 0 && columnNumber <= 0;
    const name = functionName || (top ? '(top level)' : '(anonymous)');
    return { function: name, file, line: known ? lineNumber + 1 : null };
  };

  const isOwn = (file) => file !== null && path.isAbsolute(file) && !file.includes('/node_modules/');

  // By the innermost function and the innermost one of the user's own code.
  const told = (session) => {
    let profile = null;
    session.post('HeapProfiler.stopSampling', (error, result) => {
      if (!error) profile = result.profile;
    });
    if (profile === null) return null;
    const samples = new Map();
    for (const one of profile.samples) samples.set(one.nodeId, (samples.get(one.nodeId) ?? 0) + 1);
    const sites = new Map();
    let bytes = 0;
    const left = [[profile.head, null]];
    while (left.length > 0) {
      const [node, above] = left.pop();
      const here = placed(node.callFrame);
      if (here.file === __filename) continue;
      const own = isOwn(here.file) ? here : above;
      if (node.selfSize > 0) {
        bytes += node.selfSize;
        const key = JSON.stringify([own, here]);
        const site = sites.get(key) ?? { own, here, bytes: 0, samples: 0 };
        site.bytes += node.selfSize;
        site.samples += samples.get(node.id) ?? 0;
        sites.set(key, site);
      }
      for (const child of node.children) left.push([child, own]);
    }
    const largest = [...sites.values()].sort((one, other) => other.bytes - one.bytes).slice(0, MOST);
    return { bytes, samples: profile.samples.length, stacks: largest };
  };

  // Loads files that slowpath has laid ready instead of those that they were made of.
  const lay = (files, modules) => {
    const Module = require('module');
    const text = (file) => fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
    const laid = (file, source) => (files[file] && text(file) === source ? text(files[file]) : source);
    const compile = Module.prototype._compile;
    Module.prototype._compile = function _compile(source, file, ...rest) {
      return Reflect.apply(compile, this, [laid(file, source), file, ...rest]);
    };
    if (!modules) return;
    const loaded = (result, url) => {
      if (result.format !== 'module' || !url.startsWith('file:') || !result.source) return result;
      const source = laid(fileURLToPath(url), Buffer.from(result.source).toString());
      return { ...result, source };
    };
    if (typeof Module.registerHooks === 'function') {
      Module.registerHooks({ load: (url, context, next) => loaded(next(url, context), url) });
    } else if (typeof Module.register === 'function') {
      // On a thread of its own, which has none of this.
      const loader = `import fs from 'node:fs'; import { fileURLToPath } from 'node:url';
        let files = {};
        const text = ${text}, laid = ${laid}, loaded = ${loaded};
        export const initialize = (given) => { files = given; };
        export const load = async (url, context, next) => loaded(await next(url, context), url);`;
      Module.register(`data:text/javascript,${encodeURIComponent(loader)}`, { data: files });
    }
  };

  // `null` where nothing is watched.
  const { performance } = require('perf_hooks');
  const now = () => performance.now() * 1e6;
  const beside = (name) => require(path.join(path.dirname(__filename), name));
  const table = () => {
    try {
      return JSON.parse(fs.readFileSync(process.env.SLOWPATH_WATCH, 'utf8'));
    } catch (_) {
      return null;
    }
  };
  const listen = (laid) => {
    if (!process.env.SLOWPATH_LOOP) return null;
    try {
      return beside('loop.cjs')(laid?.lines ?? {}, now);
    } catch (_) {
      return null;
    }
  };
  const watch = (laid, loop) => {
    if (laid === null) return null;
    try {
      const told = beside('watch.cjs')(laid, now, loop);
      lay(laid.files, laid.modules);
      return told;
    } catch (_) {
      return null;
    }
  };

  const profiler = new v8.GCProfiler();
  profiler.start();
  const session = process.env.SLOWPATH_SITES ? sample() : null;
  const laid = process.env.SLOWPATH_WATCH ? table() : null;
  const loop = listen(laid);
  const watched = watch(laid, loop);
  process.on('exit', () => {
    try {
      const { statistics } = profiler.stop() ?? {};
      const rows = statistics ?? [];
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
      let sites = null;
      try {
        sites = session === null ? null : told(session);
      } catch (_) {
        // The collector's word stands without them.
      }
      let calls = { repeats: [] };
      try {
        if (watched !== null) calls = watched();
      } catch (_) {
        // The same.
      }
      let waits = null;
      try {
        waits = loop === null ? null : loop.told();
      } catch (_) {
        // The same.
      }
      const file = path.join(folder, `node.${process.pid}`);
      fs.writeFileSync(file, JSON.stringify({ collector, sites, ...calls, waits }));
      fs.renameSync(file, `${file}.json`);
    } catch (_) {
      // The target must not fail because of us.
    }
  });
})();
