//! Models that together with the examples use every key of model files.

use std::convert::Infallible;
use std::path::Path;

use siconos_io::model::AnyModel;

#[test]
fn models_that_use_every_key_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/keys");
    let mut count = 0;
    for entry in folder.read_dir().expect("the models") {
        let path = entry.expect("a file").path();
        let name = path.display().to_string();
        let model = AnyModel::read(&path, &[]).expect("a model");
        assert!(model.title().is_some(), "{name}");
        let mut run = model.run(None).expect("a run");
        let mut rows = 0;
        run.to_end(|row| {
            assert!(row.iter().all(|value| value.is_finite()), "{name}: {row:?}");
            rows += 1;
            Ok::<_, Infallible>(())
        })
        .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(rows > 1, "{name}");
        assert!(run.unconverged().is_none_or(|unconverged| unconverged.steps == 0), "{name}");
        count += 1;
    }
    assert!(count > 0, "the folder has models");
}
