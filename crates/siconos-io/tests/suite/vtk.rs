//! Files for VTK: their content, read by a small reader of the test and by the reader of VTK.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use siconos_io::trajectory::{Table, TableReader};
use siconos_io::vtk::{
    Collection, MovingBody, PointData, PolyData, Surface, VtkErrorKind as Kind, path_of, write_bodies,
    write_path, write_series,
};

use crate::python;

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("vtk_{name}"))
}

/// Returns a roof of five points with a line and a vertex.
fn roof() -> PolyData {
    let mut roof = PolyData {
        points: vec![
            [0.0, 0.0, 0.1],
            [1.0, 0.0, -0.0],
            [1.0, 5e-324, 0.0],
            [0.0, 1.0, 1e300],
            [0.5, 0.5, 1.0],
        ],
        time: Some(0.1 + 0.2),
        ..PolyData::default()
    };
    roof.polygons.push([0, 1, 4]);
    roof.polygons.push([0, 1, 2, 3]);
    roof.lines.push([0, 4, 2]);
    roof.vertices.push([4]);
    let values = (0..15).map(|k| f64::from(k).sqrt()).collect();
    roof.point_data.push(PointData { name: "force <N> & \"more\"".to_owned(), components: 3, values });
    let values = vec![f64::NAN, f64::INFINITY, -0.0, 1.0, 2.0];
    roof.point_data.push(PointData { name: "θ".to_owned(), components: 1, values });
    roof
}

/// Returns the arrays of a file, in order: the name and the number of components as written there, and the
/// eight bytes of each number.
fn arrays(bytes: &[u8]) -> Vec<(String, Option<String>, Vec<u64>)> {
    let mark = b"<AppendedData encoding=\"raw\">\n_";
    let place = bytes.windows(mark.len()).position(|window| window == mark).expect("a mark");
    let (head, data) = bytes.split_at(place + mark.len());
    let head = str::from_utf8(head).expect("text");
    let word = |at: usize| u64::from_le_bytes(data[at..at + 8].try_into().expect("eight bytes"));
    let value = |tag: &str, key: &str| {
        tag.split_once(&format!("{key}=\""))
            .map(|(_, rest)| rest.split('"').next().expect("a quote").to_owned())
    };
    let mut end = 0;
    let mut found = Vec::new();
    for tag in head.split("<DataArray").skip(1) {
        let offset: usize = value(tag, "offset").expect("an offset").parse().expect("a number");
        assert_eq!(offset, end, "arrays follow each other");
        let length = usize::try_from(word(offset)).expect("short");
        end = offset + 8 + length;
        let numbers = (offset + 8..end).step_by(8).map(word).collect();
        found.push((value(tag, "Name").expect("a name"), value(tag, "NumberOfComponents"), numbers));
    }
    assert_eq!(&data[end..], b"\n</AppendedData>\n</VTKFile>\n");
    found
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn numbers_stand_where_the_text_says() {
    let roof = roof();
    let mut bytes = Vec::new();
    roof.to_vtp(&mut bytes).expect("there is memory");
    let three = Some("3".to_owned());
    let expected = [
        ("TimeValue", None, bits(&[0.1 + 0.2])),
        ("Points", three.clone(), bits(roof.points.as_flattened())),
        ("force &lt;N&gt; &amp; &quot;more&quot;", three, bits(&roof.point_data[0].values)),
        ("θ", Some("1".to_owned()), bits(&roof.point_data[1].values)),
        ("connectivity", None, vec![4]),
        ("offsets", None, vec![1]),
        ("connectivity", None, vec![0, 4, 2]),
        ("offsets", None, vec![3]),
        ("connectivity", None, vec![0, 1, 4, 0, 1, 2, 3]),
        ("offsets", None, vec![3, 7]),
    ];
    let expected: Vec<_> = expected.map(|(name, count, numbers)| (name.to_owned(), count, numbers)).into();
    assert_eq!(arrays(&bytes), expected);
}

#[test]
fn what_does_not_fit_is_refused_before_a_file_is_lost() {
    let path = scratch("kept.vtp");
    roof().write(&path).expect("a scratch file");
    let before = fs::read(&path).expect("it is there");
    let refused = |change: fn(&mut PolyData)| {
        let mut changed = roof();
        change(&mut changed);
        let error = changed.write(&path).expect_err("it does not fit");
        assert_eq!(error.path.as_deref(), Some(path.as_path()));
        assert_eq!(fs::read(&path).expect("it is there"), before);
        error.kind
    };
    let kind = refused(|roof| roof.points[3][1] = f64::NAN);
    assert!(matches!(kind, Kind::NotFinite { point: 3, .. }), "{kind}");
    let kind = refused(|roof| roof.point_data[0].values.truncate(14));
    assert!(matches!(kind, Kind::WrongLength { components: 3, points: 5, found: 14, .. }), "{kind}");
    let kind = refused(|roof| roof.point_data[0].components = 0);
    assert!(matches!(kind, Kind::WrongLength { components: 0, .. }), "{kind}");
    let kind = refused(|roof| roof.point_data[0].components = usize::MAX);
    assert!(matches!(kind, Kind::WrongLength { .. }), "{kind}");
    let kind = refused(|roof| roof.point_data[0].name = "θ".to_owned());
    assert!(matches!(kind, Kind::DuplicateName { .. }), "{kind}");
    let kind = refused(|roof| roof.point_data[0].name = "a\0b".to_owned());
    assert!(matches!(kind, Kind::Unwritable { .. }), "{kind}");
    let kind = refused(|roof| roof.polygons.push([0, 1, 5]));
    assert!(matches!(kind, Kind::NoSuchPoint { kind: "polygons", cell: 2, point: 5, points: 5 }), "{kind}");
    let kind = PolyData::default().write(scratch("no/folder.vtp")).expect_err("no such folder").kind;
    assert!(matches!(kind, Kind::Io(_)), "{kind}");
}

/// Returns the trajectory of a thrown point and of a point at rest.
fn throw() -> Table {
    let mut table = Table::new(["t", "x", "height", "v", "z1"]);
    for k in 0..25 {
        let t = 0.04 * f64::from(k);
        table.push_row(&[t, 3.0 * t, 4.0 * t - 4.905 * t * t, 4.0 - 9.81 * t, 0.5]).expect("five columns");
    }
    table
}

#[test]
fn a_path_has_a_point_for_each_row() {
    let table = throw();
    let path = path_of(&table, &["x", "height"]).expect("columns");
    assert!(path.points.iter().zip(table.rows()).all(|(point, row)| *point == [row[1], row[2], 0.0]));
    assert!(path.lines.iter().eq([&(0..25).collect::<Vec<_>>()[..]]));
    let names: Vec<_> = path.point_data.iter().map(|array| &*array.name).collect();
    assert_eq!(names, ["t", "v", "z1"]);
    assert!(table.column("v").expect("it is there").eq(path.point_data[1].values.iter().copied()));
    let (whole, by_row) = (scratch("path.vtp"), scratch("path_by_row.vtp"));
    path.write(&whole).expect("a scratch file");
    assert_eq!(write_path(&by_row, table.clone(), &["x", "height"]).expect("a scratch file"), 25);
    assert!(fs::read(&whole).expect("a file") == fs::read(&by_row).expect("a file"));
    let up = path_of(&table, &["", "", "height"]).expect("a column");
    let upwards = up.points.iter().zip(&path.points).all(|(up, own)| *up == [0.0, 0.0, own[1]]);
    assert!(upwards && up.points.len() == path.points.len());
    assert!(path_of(&Table::new(["x"]), &["x"]).expect("columns").lines.is_empty());

    let kind = path_of(&table, &["x", "y"]).expect_err("no such column").kind;
    assert!(
        matches!(&kind, Kind::NoSuchColumn { name, columns } if name == "y" && columns.len() == 5),
        "{kind}"
    );
    for wrong in [&[][..], &["x", "x", "x", "x"]] {
        assert!(matches!(path_of(&table, wrong).expect_err("no point").kind, Kind::Coordinates { .. }));
    }

    // Without rows there is no line. The existing file is kept if a point is not finite.
    let mut few = Table::new(["t", "x"]);
    path_of(&few, &["x"]).expect("columns").write(&whole).expect("a scratch file");
    assert_eq!(write_path(&by_row, few.clone(), &["x"]).expect("a scratch file"), 0);
    let before = fs::read(&whole).expect("a file");
    assert!(before == fs::read(&by_row).expect("a file"));
    few.push_row(&[0.0, 1.0]).and_then(|()| few.push_row(&[f64::NAN, f64::NAN])).expect("two columns");
    let error = write_path(&by_row, few, &["x"]).expect_err("a point that is not finite");
    assert!(matches!(error.kind, Kind::NotFinite { point: 1, .. }), "{error}");
    assert_eq!(error.path.as_deref(), Some(&*by_row));
    assert!(before == fs::read(&by_row).expect("a file"));
}

#[test]
fn a_film_has_a_file_for_each_row() {
    let (table, path) = (throw(), scratch("film.pvd"));
    let points = [&["x", "height"][..], &["x", "z1", "t"]];
    assert_eq!(write_series(&path, table.clone(), "t", &points).expect("scratch files"), 25);
    let text = fs::read_to_string(&path).expect("it is there");
    let times: Vec<f64> = text
        .split("timestep=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().expect("a quote").parse().expect("a time"))
        .collect();
    assert!(table.column("t").expect("it is there").eq(times));
    for (number, row) in table.rows().enumerate() {
        let file = format!("vtk_film/{number:06}.vtp");
        assert!(text.contains(&format!("file=\"{file}\"")));
        let found = arrays(&fs::read(path.with_file_name(file)).expect("it is there"));
        assert_eq!(found[0].2, bits(&[row[0]]));
        assert_eq!(found[1].2, bits(&[row[1], row[2], 0.0, row[1], row[4], row[0]]));
        assert_eq!(found[3].2, [0, 1]);
    }
    // The files of the earlier, longer animation are removed.
    let short = table.thinned(NonZeroUsize::new(6).expect("six"));
    assert_eq!(write_series(&path, short.clone(), "t", &points).expect("scratch files"), 5);
    let mut left: Vec<_> =
        fs::read_dir(path.with_extension("")).expect("a folder").collect::<Result<_, _>>().expect("files");
    left.sort_by_key(fs::DirEntry::file_name);
    let left: Vec<_> = left.iter().map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(left, (0..5).map(|number| format!("{number:06}.vtp")).collect::<Vec<_>>());
    let kind = write_series(scratch("film"), table.clone(), "t", &points).expect_err("no ending").kind;
    assert!(matches!(kind, Kind::NoFileName { .. }), "{kind}");
    let kind = write_series(&path, table.clone(), "time", &points).expect_err("no such column").kind;
    assert!(matches!(kind, Kind::NoSuchColumn { .. }), "{kind}");
    let mut film = Collection::default();
    film.push(0.0, "a\nb");
    assert!(matches!(film.to_pvd(Vec::new()).expect_err("a line break").kind, Kind::Unwritable { .. }));
}

/// Script that prints all data that the reader of VTK finds in a file.
const SHOW: &str = r#"
import struct, sys
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
from vtkmodules.vtkCommonCore import vtkIdList
reader = vtkXMLPolyDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
assert reader.GetErrorCode() == 0, reader.GetErrorCode()
data = reader.GetOutput()
def show(name, array):
    values = [x for k in range(array.GetNumberOfTuples()) for x in array.GetTuple(k)]
    print(name, array.GetNumberOfComponents(), *[struct.pack(">d", x).hex() for x in values])
show("time", data.GetFieldData().GetArray("TimeValue"))
show("points", data.GetPoints().GetData())
for k in range(data.GetPointData().GetNumberOfArrays()):
    show(data.GetPointData().GetArrayName(k), data.GetPointData().GetArray(k))
for name, cells in [("verts", data.GetVerts()), ("lines", data.GetLines()), ("polys", data.GetPolys())]:
    for k in range(cells.GetNumberOfCells()):
        ids = vtkIdList()
        cells.GetCellAtId(k, ids)
        print(name, *[ids.GetId(j) for j in range(ids.GetNumberOfIds())])
"#;

fn hex(numbers: &[f64]) -> String {
    numbers.iter().map(|x| format!(" {:016x}", x.to_bits())).collect()
}

#[test]
fn vtk_reads_the_same_numbers() {
    let (roof, path) = (roof(), scratch("read.vtp"));
    roof.write(&path).expect("a scratch file");
    let Some(said) = python::run(&["vtkmodules.vtkIOXML"], SHOW, &[Path::new(&path)]) else { return };
    let mut expected = format!("time 1{}\npoints 3{}\n", hex(&[0.1 + 0.2]), hex(roof.points.as_flattened()));
    for PointData { name, components, values } in &roof.point_data {
        expected += &format!("{name} {components}{}\n", hex(values));
    }
    expected += "verts 4\nlines 0 4 2\npolys 0 1 4\npolys 0 1 2 3\n";
    assert_eq!(said, expected);
}

#[test]
fn vtk_reads_a_film() {
    let (table, path) = (throw(), scratch("read_film.pvd"));
    write_series(&path, table.clone(), "t", &[&["x", "height"], &["x", "z1", "t"]]).expect("scratch files");
    // Files are found as ParaView finds them.
    let script = format!(
        "import os, sys, xml.etree.ElementTree as tree\npvd = sys.argv[1]\n\
         for data in tree.parse(pvd).getroot().iter('DataSet'):\n    \
         sys.argv[1] = os.path.join(os.path.dirname(pvd), data.get('file'))\n    \
         print(repr(float(data.get('timestep'))))\n{}",
        SHOW.replace('\n', "\n    ")
    );
    let Some(said) = python::run(&["vtkmodules.vtkIOXML"], &script, &[&path]) else { return };
    let mut lines = said.lines();
    for row in table.rows() {
        let time = lines.next().and_then(|time| time.parse::<f64>().ok()).expect("a time");
        assert_eq!(time.to_bits(), row[0].to_bits());
        let points = [row[1], row[2], 0.0, row[1], row[4], row[0]];
        let expected = [
            format!("time 1{}", hex(&row[..1])),
            format!("points 3{}", hex(&points)),
            format!("point 1{}", hex(&[0.0, 1.0])),
            "verts 0".to_owned(),
            "verts 1".to_owned(),
        ];
        for line in expected {
            assert_eq!(lines.next(), Some(&*line));
        }
    }
    assert_eq!(lines.next(), None);
}

/// Returns the points of a frame of an animation.
fn points_of_frame(path: &Path, number: usize) -> Vec<[f64; 3]> {
    let file = path.with_extension("").join(format!("{number:06}.vtp"));
    let found = arrays(&fs::read(file).expect("a frame"));
    let (name, _, numbers) = &found[1];
    assert_eq!(name, "Points");
    let numbers: Vec<f64> = numbers.iter().map(|bits| f64::from_bits(*bits)).collect();
    numbers.chunks_exact(3).map(|point| [point[0], point[1], point[2]]).collect()
}

/// A box that is turned by a quarter about the z axis and about the x axis, and a disc that is turned by an
/// angle.
#[test]
fn bodies_have_their_shape_and_orientation() {
    let path = scratch("bodies.pvd");
    let mut table = Table::new([
        "t",
        "cube.x",
        "cube.y",
        "cube.z",
        "cube.e[0]",
        "cube.e[1]",
        "cube.e[2]",
        "cube.e[3]",
        "disc.x",
        "disc.y",
        "disc.angle",
    ]);
    let half = 0.5_f64.sqrt();
    let quarter = std::f64::consts::FRAC_PI_2;
    for (t, e, angle) in [
        (0.0, [1.0, 0.0, 0.0, 0.0], 0.0),
        (1.0, [half, 0.0, 0.0, half], quarter),
        (2.0, [2.0 * half, 2.0 * half, 0.0, 0.0], 2.0 * quarter),
    ] {
        let [a, b, c, d] = e;
        table.push_row(&[t, 10.0, 20.0, 30.0, a, b, c, d, 1.0, 2.0, angle]).expect("eleven numbers");
    }
    let lengths = [2.0, 4.0, 6.0];
    let cube = MovingBody::of_columns(&table, "cube", Surface::cuboid(lengths)).expect("columns");
    let disc = MovingBody::of_columns(&table, "disc", Surface::disc(0.5)).expect("columns");
    assert_eq!(write_bodies(&path, table.clone(), "t", &[cube, disc]).expect("scratch files"), 3);
    let corners = Surface::cuboid(lengths).points;
    let turned: [fn([f64; 3]) -> [f64; 3]; 3] = [|p| p, |[x, y, z]| [-y, x, z], |[x, y, z]| [x, -z, y]];
    for (frame, turned) in turned.into_iter().enumerate() {
        let points = points_of_frame(&path, frame);
        for (point, corner) in points.iter().zip(&corners) {
            let [x, y, z] = turned(*corner);
            let expected = [10.0 + x, 20.0 + y, 30.0 + z];
            assert!(
                point.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-14),
                "{point:?}, {expected:?}"
            );
        }
        // The line of the disc ends at its first point.
        let rim = points[corners.len()];
        let angle = frame as f64 * quarter;
        let expected = [1.0 + 0.5 * angle.cos(), 2.0 + 0.5 * angle.sin(), 0.0];
        assert!(rim.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-14), "{rim:?}");
    }
    let kind = MovingBody::of_columns(&table, "ball", Surface::ball(1.0)).expect_err("no such column").kind;
    assert!(matches!(kind, Kind::NoSuchColumn { .. }), "{kind}");
}

/// An animation and a path whose last row is damaged leave the files of earlier ones unchanged.
#[test]
fn a_damaged_row_leaves_no_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let [rows, film, path] = ["rows.csv", "film.pvd", "path.vtp"].map(|name| folder.path().join(name));
    let write = |text: &str| {
        fs::write(&rows, text).expect("a file");
        let open = || TableReader::open(&rows).expect("a table");
        (write_series(&film, open(), "t", &[&["x"]]), write_path(&path, open(), &["x"]))
    };
    let (series, line) = write("t,x\n0,1\n1,2\n2,three\n");
    for error in [series.expect_err("a row"), line.expect_err("a row")] {
        assert!(matches!(error.kind, Kind::Rows(_)), "{error}");
    }
    assert!(!film.exists() && !film.with_extension("").exists() && !path.exists());
    let (series, line) = write("t,x\n0,1\n1,2\n");
    assert_eq!((series.expect("a film"), line.expect("a path")), (2, 2));
    let points = || (points_of_frame(&film, 0), fs::read(&path).expect("a path"));
    let expected = points();
    let (series, line) = write("t,x\n0,5\n1,two\n");
    assert!(series.is_err() && line.is_err() && points() == expected);
}

/// A tetrahedron as an STL file and as an OBJ file.
#[test]
fn meshes_are_read() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let (stl, obj) = (scratch("tetrahedron.stl"), scratch("tetrahedron.obj"));
    let vertex = |[x, y, z]: [f64; 3]| format!("{x} {y} {z}");
    let facet = |face: [usize; 3]| {
        let vertices: String = face.map(|corner| format!("vertex {}\n", vertex(corners[corner]))).concat();
        format!("facet normal 0 0 0\nouter loop\n{vertices}endloop\nendfacet\n")
    };
    fs::write(&stl, format!("solid t\n{}endsolid t\n", faces.map(facet).concat())).expect("a file");
    let vertices = corners.map(|corner| format!("v {}\n", vertex(corner))).concat();
    let lines = faces.map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1)).concat();
    fs::write(&obj, format!("{vertices}{lines}")).expect("a file");
    for path in [stl, obj] {
        let surface = Surface::read_mesh(&path).expect("a mesh");
        assert_eq!((surface.points.len(), surface.polygons.len()), (4, 4), "{}", path.display());
        for (polygon, face) in surface.polygons.iter().zip(&faces) {
            let found: Vec<_> = polygon.iter().map(|&corner| surface.points[corner]).collect();
            assert_eq!(found, face.map(|corner| corners[corner]), "{}", path.display());
        }
        assert_eq!(surface.triangles().len(), 4);
    }
    let broken = scratch("broken.stl");
    fs::write(&broken, "solid\nfacet\n").expect("a file");
    let error = Surface::read_mesh(&broken).expect_err("no mesh");
    assert_eq!(error.path.as_deref(), Some(&*broken));
    let kind = Surface::read_mesh(scratch("tetrahedron.ply")).expect_err("no format").kind;
    assert!(matches!(kind, Kind::UnknownMesh), "{kind}");
}
